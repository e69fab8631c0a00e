package import SystemPackage
package import ValiseFailures
import ValiseFiles

/// Where a salvage writes to, unless its user names another place: beside what is damaged.
package enum SalvageSuggestion {
    /// A new folder beside that of an account.
    package static func folder(for account: Remedy.Account) -> FilePath {
        let folder = account.directory
        if let name = folder.lastComponent, name.kind == .regular {
            return folder.removingLastComponent().appending("\(name.string)-salvaged")
        }
        // Of `.` or `..`, the name is that of the folder itself.
        let name = (try? FileSystem().resolve(folder))?.lastComponent?.string ?? account.prefix
        let parent: FilePath = folder == "." ? ".." : folder.appending("..")
        return parent.appending("\(name)-salvaged")
    }

    /// A new archive beside another one; nil where that has no name.
    package static func archive(for archive: FilePath) -> FilePath? {
        archive.stem.map { archive.removingLastComponent().appending("\($0)-salvaged.zip") }
    }
}
