package import SystemPackage
package import ValiseFailures

/// Where a salvage writes to, unless its user names another place: beside what is damaged.
package enum SalvageSuggestion {
    /// A new folder beside that of an account.
    package static func folder(for account: Remedy.Account) -> FilePath {
        let folder = account.directory
        guard let name = folder.lastComponent, name.kind == .regular else {
            return folder.appending("..").appending("\(account.prefix)-salvaged")
        }
        return folder.removingLastComponent().appending("\(name.string)-salvaged")
    }

    /// A new archive beside another one; nil where that has no name.
    package static func archive(for archive: FilePath) -> FilePath? {
        archive.stem.map { archive.removingLastComponent().appending("\($0)-salvaged.zip") }
    }
}
