/// Where things are in an archive (Documentation/formats/archive.md).
package enum ArchiveLayout {
    /// The folder of media.
    package static let files = "simplex_v1_files"
    /// The folder of wallpapers.
    package static let wallpapers = "simplex_v1_assets/wallpapers"

    /// What an entry is, by its path.
    package enum Role: Sendable, Equatable {
        case database(AccountDatabase)
        /// A file of media, by its name in the folder.
        case file(String)
        /// A wallpaper, by its name in the folder.
        case wallpaper(String)
        /// Not a part of an account.
        case other
    }

    /// What the entry of this path is.
    package static func role(of name: String) -> Role {
        if let database = AccountDatabase.allCases.first(where: { $0.archiveName == name }) {
            return .database(database)
        }
        if let file = child(of: files, name) { return .file(file) }
        if let wallpaper = child(of: wallpapers, name) { return .wallpaper(wallpaper) }
        return .other
    }

    private static func child(of folder: String, _ name: String) -> String? {
        // By bytes, as the file system sees a slash: as a character, one with a combining mark is another.
        guard name.utf8.starts(with: (folder + "/").utf8) else { return nil }
        let rest = name.utf8.dropFirst(folder.utf8.count + 1)
        return rest.isEmpty || rest.contains(UInt8(ascii: "/")) ? nil : String(Substring(rest))
    }
}
