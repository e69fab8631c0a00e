package import SystemPackage
package import ValiseFailures

extension Remedy.Account {
    /// The account at a location.
    package init(_ location: AccountLocation) {
        self.init(directory: location.directory, prefix: location.prefix)
    }

    /// The account to which a database belongs, by the name of its file.
    package init(ofDatabase path: FilePath) {
        let name = path.lastComponent?.string ?? ""
        let suffix = AccountDatabase.allCases.map(\.suffix).first { name.hasSuffix($0) }
        let folder = path.removingLastComponent()
        self.init(
            directory: folder.isEmpty ? "." : folder,
            prefix: suffix.map { String(name.dropLast($0.count)) } ?? name)
    }
}
