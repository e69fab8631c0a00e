package import SystemPackage
package import ValiseAccounts
import ValiseFiles

extension AccountLocation {
    /// Whether an account is there that would be replaced; true where that cannot be seen.
    package var hasAccount: Bool { (try? FileSystem().exists(path(of: .chat))) ?? true }
}

extension FilePath {
    /// A folder's name as a user types it, also where the folder was named by `.` or through a link.
    package var typedName: String {
        let folder = (try? FileSystem().resolve(self)) ?? self
        return (folder.lastComponent?.string ?? folder.string).withoutControls
    }
}
