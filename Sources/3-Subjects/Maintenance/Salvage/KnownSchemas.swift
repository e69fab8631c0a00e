import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseFiles
import ValiseSecrets

/// Collects the schemas that a damaged database may have had: of its previous copies, of the account the user
/// named, and Valise's own.
struct KnownSchemas {
    let input: SalvageInput
    /// The damaged account.
    let account: AccountReader
    /// The one that the user named.
    let other: AccountReader?

    func list(
        _ database: AccountDatabase, _ passphrase: borrowing SecretBytes, _ progress: ProgressHandler
    ) throws -> [KnownSchema] {
        var schemas: [KnownSchema] = []
        if let other {
            let file = try other.fileToRead(of: database)
            guard let schema = try schema(of: file, database, false, passphrase, progress) else {
                throw MaintenanceError(
                    .invalid, "cannot read this database's schema with the passphrase",
                    subject: try other.ownFile(of: database)?.path.string)
            }
            schemas.append(schema)
        }
        for file in try account.previousCopies(of: database) {
            if let schema = try schema(of: file, database, true, passphrase, progress) {
                schemas.append(schema)
            }
        }
        return schemas + (try KnownSchema.own(database))
    }

    private func schema(
        of file: DatabaseFile?, _ database: AccountDatabase, _ hasRoots: Bool,
        _ passphrase: borrowing SecretBytes, _ progress: ProgressHandler
    ) throws -> KnownSchema? {
        do {
            defer { try? input.removeCopy(of: database) }
            guard let file, file.size > 0,
                let opened = try input.open(database, file, passphrase, progress)
            else { return nil }
            return try KnownSchema.other(file.path, opened.pages, hasRoots: hasRoots)
        } catch let error as any Failure where error.code == .interrupted {
            throw error
        } catch {
            // A copy that cannot be read is only a lost hint.
            return nil
        }
    }
}
