import SystemPackage
package import ValiseAccounts

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension ValiseFolders {
    /// Those of the XDG base directories.
    /// - Parameter variable: a variable of the environment; nil for an empty one too.
    package init(variable: (String) -> String?) {
        self.init(
            data: Self.folder("XDG_DATA_HOME", ".local/share", variable),
            state: Self.folder("XDG_STATE_HOME", ".local/state", variable),
            configuration: Self.folder("XDG_CONFIG_HOME", ".config", variable))
        temporary = variable("TMPDIR").map { FilePath($0) }
        hasSessionBus = Self.hasSessionBus(variable)
        hasScreen = variable("DISPLAY") != nil || variable("WAYLAND_DISPLAY") != nil
    }

    /// Nil where `HOME` is not set either.
    private static func folder(
        _ name: String, _ usual: String, _ variable: (String) -> String?
    ) -> FilePath? {
        if let path = variable(name), path.hasPrefix("/") { return FilePath(path).appending("valise") }
        return variable("HOME").map { FilePath($0).pushing(FilePath(usual)).appending("valise") }
    }

    private static func hasSessionBus(_ variable: (String) -> String?) -> Bool {
        if variable("DBUS_SESSION_BUS_ADDRESS") != nil { return true }
        guard let folder = variable("XDG_RUNTIME_DIR") else { return false }
        return unsafe access("\(folder)/bus", F_OK) == 0
    }
}

extension UserHome {
    /// That of the user, as the XDG base directories say.
    /// - Parameter variable: a variable of the environment; nil for an empty one too.
    package init(variable: (String) -> String?) {
        let data = variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
        self.init(home: variable("HOME").map { FilePath($0) }, data: data)
    }
}
