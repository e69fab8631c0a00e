import Valise

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the environment says of the user's folders.
enum UserFolders {
    /// Keeps commands from using the queue of jobs.
    static let switchedOff = "VALISE_NO_JOBS"

    static var isQueueSwitchedOff: Bool { variable(switchedOff) != nil }

    /// A variable of the environment; nil for an empty one too.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}

extension UserHome {
    /// That of the user who runs this program.
    static var ofUser: UserHome { UserHome(variable: UserFolders.variable) }
}

extension ValiseFolders {
    /// Those of the user who runs this program.
    static var ofUser: ValiseFolders { ValiseFolders(variable: UserFolders.variable) }
}
