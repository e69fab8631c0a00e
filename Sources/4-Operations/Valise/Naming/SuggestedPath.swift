package import SystemPackage
package import ValiseFailures
import ValiseFiles

/// Names that a user may take or replace by better ones, so that a suggested command can be pasted. Nothing has them yet.
package enum SuggestedPath {
    /// The name of a new folder in that of an account, in which the account stays when another one replaces it.
    package static func previousAccount(in account: Remedy.Account) -> String {
        free("previous", in: account.directory).lastComponent?.string ?? "previous"
    }

    /// A new folder beside that of a damaged account.
    package static func salvagedAccount(beside account: Remedy.Account) -> FilePath {
        let folder = account.directory
        if let name = folder.lastComponent, name.kind == .regular {
            return free("\(name.string)-salvaged", in: folder.removingLastComponent())
        }
        // Of `.` or `..`, the name is that of the folder itself.
        let name = (try? FileSystem().resolve(folder))?.lastComponent?.string ?? account.prefix
        let parent: FilePath = folder == "." ? ".." : folder.appending("..")
        return free("\(name)-salvaged", in: parent)
    }

    /// A new archive beside a damaged one; nil where that has no name.
    package static func salvagedArchive(beside archive: FilePath) -> FilePath? {
        archive.stem.map {
            let name = $0.hasSuffix(".tar") ? String($0.dropLast(4)) : $0
            return free("\(name)-salvaged", ".zip", in: archive.removingLastComponent())
        }
    }

    /// The first of these names that nothing has: others are refused. One that cannot be looked at is left to the operation.
    private static func free(_ name: String, _ ending: String = "", in folder: FilePath) -> FilePath {
        func path(_ number: Int) -> FilePath {
            folder.appending(number == 1 ? name + ending : "\(name)-\(number)\(ending)")
        }
        let number = (1...mostNumber).first { (try? FileSystem().exists(path($0))) != true }
        return path(number ?? 1)
    }

    private static let mostNumber = 99
}
