import SystemPackage
import ValiseFiles

/// A folder in which a program keeps its account.
struct KnownAccountPlace: Sendable {
    let program: AccountProgram
    /// In the home folder of a user.
    let path: FilePath

    /// Where programs keep their data unless the environment says otherwise.
    static let data: FilePath = ".local/share/simplex"

    static let all = [
        KnownAccountPlace(program: .desktop, path: data),
        KnownAccountPlace(program: .flatpak, path: ".var/app/chat.simplex.simplex/data/simplex"),
        KnownAccountPlace(program: .terminal, path: ".simplex"),
        KnownAccountPlace(program: .windowsDesktop, path: "AppData/Roaming/SimpleX"),
        KnownAccountPlace(program: .windowsTerminal, path: "AppData/Roaming/simplex"),
        KnownAccountPlace(program: .iosOnMac, path: "Library/Group Containers/group.chat.simplex.app"),
    ]

    /// Where snaps have their homes: one for each revision, and one for all.
    static let snaps: FilePath = "snap"
    static let snapHomes = ["current", "common"]

    /// Where AppImages are usually kept, besides the home itself.
    static let appImageFolders: [FilePath] = ["Applications", "Downloads", "bin", ".local/bin"]
    /// The home of an AppImage is beside it, with this behind its name.
    static let appImageHome = ".AppImage.home"

    /// Where Finder, iTunes and the app Apple Devices keep the backups of phones.
    static let backupFolders: [FilePath] = [
        "Library/Application Support/MobileSync/Backup",
        "AppData/Roaming/Apple Computer/MobileSync/Backup",
        "Apple/MobileSync/Backup",
    ]

    /// Where the homes of users are on a disk.
    static let homeFolders: [FilePath] = ["home", "Users"]
    static let rootHome: FilePath = "root"

    /// What else the names of databases begin with besides ``AccountLocation/usualPrefix``: on Android, and formerly on iOS.
    static let prefixes: Set<String> = [AccountLocation.usualPrefix, "mobile_v1", "files"]

    /// Who keeps an account, by its folder.
    static func program(of location: AccountLocation) -> AccountProgram {
        let folder = location.directory
        if folder.ends(with: data) {
            let home = folder.parentFolder.parentFolder.parentFolder
            if home.lastComponent?.string.hasSuffix(appImageHome) == true { return .portableAppImage }
            if home.parentFolder.parentFolder.lastComponent?.string == snaps.string { return .snap }
        }
        if let known = all.first(where: { folder.ends(with: $0.path) }) { return known.program }
        return switch location.style {
        case .android: .android
        case .ios: .ios
        case .desktop: .unknown
        }
    }
}
