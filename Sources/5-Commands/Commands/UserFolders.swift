import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a user's programs keep their things (XDG base directories). Nil where `HOME` is not set either.
enum UserFolders {
    /// What the user owns, such as keys.
    static var data: FilePath? { folder("XDG_DATA_HOME", ".local/share") }

    /// What a later run needs, such as transfers that were interrupted.
    static var state: FilePath? { folder("XDG_STATE_HOME", ".local/state") }

    /// What the user decided.
    static var configuration: FilePath? { folder("XDG_CONFIG_HOME", ".config") }

    private static func folder(_ name: String, _ usual: String) -> FilePath? {
        if let path = variable(name), path.hasPrefix("/") { return FilePath(path).appending("valise") }
        return variable("HOME").map { FilePath($0).pushing(FilePath(usual)).appending("valise") }
    }

    /// A variable of the environment; nil for an empty one too.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}
