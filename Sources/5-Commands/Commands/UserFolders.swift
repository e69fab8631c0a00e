import CValisePlatform
import Valise

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The user's folders from the environment (XDG base directories).
enum UserFolders {
    /// Keeps commands from using the queue of jobs.
    static let switchedOff = "VALISE_NO_JOBS"

    static var isQueueSwitchedOff: Bool { variable(switchedOff) != nil }

    /// Nil where `HOME` is not set either.
    fileprivate static func folder(_ name: String, _ usual: String) -> FilePath? {
        if let path = variable(name), path.hasPrefix("/") { return FilePath(path).appending("valise") }
        return variable("HOME").map { FilePath($0).pushing(FilePath(usual)).appending("valise") }
    }

    fileprivate static var hasSessionBus: Bool {
        if variable("DBUS_SESSION_BUS_ADDRESS") != nil { return true }
        guard let folder = variable("XDG_RUNTIME_DIR") else { return false }
        return access("\(folder)/bus", F_OK) == 0
    }

    /// A variable of the environment; nil for an empty one too.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}

extension UserHome {
    /// That of the user who runs this program.
    static var ofUser: UserHome {
        let data = UserFolders.variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? FilePath($0) : nil }
        return UserHome(home: UserFolders.variable("HOME").map { FilePath($0) }, data: data)
    }
}

extension ValiseFolders {
    /// Those of the user who runs this program.
    static var ofUser: ValiseFolders {
        var folders = ValiseFolders(
            data: UserFolders.folder("XDG_DATA_HOME", ".local/share"),
            state: UserFolders.folder("XDG_STATE_HOME", ".local/state"),
            configuration: UserFolders.folder("XDG_CONFIG_HOME", ".config"))
        folders.temporary = UserFolders.variable("TMPDIR").map { FilePath($0) }
        folders.hasSessionBus = UserFolders.hasSessionBus
        folders.hasScreen =
            UserFolders.variable("DISPLAY") != nil || UserFolders.variable("WAYLAND_DISPLAY") != nil
        return folders
    }
}
