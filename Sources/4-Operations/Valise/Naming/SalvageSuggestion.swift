package import SystemPackage
package import ValiseFailures
import ValiseFiles

/// Where a salvage writes to, unless its user names another place: beside what is damaged.
package enum SalvageSuggestion {
    /// A new folder beside that of an account.
    package static func folder(for account: Remedy.Account) -> FilePath {
        let folder = account.directory
        if let name = folder.lastComponent, name.kind == .regular {
            return free("\(name.string)-salvaged", in: folder.removingLastComponent())
        }
        // Of `.` or `..`, the name is that of the folder itself.
        let name = (try? FileSystem().resolve(folder))?.lastComponent?.string ?? account.prefix
        let parent: FilePath = folder == "." ? ".." : folder.appending("..")
        return free("\(name)-salvaged", in: parent)
    }

    /// A new archive beside another one; nil where that has no name.
    package static func archive(for archive: FilePath) -> FilePath? {
        archive.stem.map {
            let name = $0.hasSuffix(".tar") ? String($0.dropLast(4)) : $0
            return free("\(name)-salvaged", ".zip", in: archive.removingLastComponent())
        }
    }

    /// The first of these names that nothing has: a salvage refuses another. One that cannot be looked at is left to it.
    private static func free(_ name: String, _ ending: String = "", in folder: FilePath) -> FilePath {
        func path(_ number: Int) -> FilePath {
            folder.appending(number == 1 ? name + ending : "\(name)-\(number)\(ending)")
        }
        let number = (1...mostNumber).first { (try? FileSystem().exists(path($0))) != true }
        return path(number ?? 1)
    }

    private static let mostNumber = 99
}
