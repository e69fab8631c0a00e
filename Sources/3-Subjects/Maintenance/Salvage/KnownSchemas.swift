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
    let options: SalvageOptions

    func list(
        _ database: AccountDatabase, _ file: DatabaseFile, _ passphrase: borrowing SecretBytes,
        _ progress: ProgressHandler
    ) throws -> [KnownSchema] {
        var schemas: [KnownSchema] = []
        if let other = options.schemaFrom {
            guard let schema = try schema(of: other.path(of: database), database, false, passphrase, progress)
            else {
                throw MaintenanceError(
                    .invalid, "cannot read this database's schema with the passphrase",
                    subject: other.path(of: database).string)
            }
            schemas.append(schema)
        }
        for name in file.copies {
            let path = file.path.removingLastComponent().appending(name)
            if let schema = try schema(of: path, database, true, passphrase, progress) {
                schemas.append(schema)
            }
        }
        return schemas + (try KnownSchema.own(database))
    }

    private func schema(
        of path: FilePath, _ database: AccountDatabase, _ hasRoots: Bool, _ passphrase: borrowing SecretBytes,
        _ progress: ProgressHandler
    ) throws -> KnownSchema? {
        do {
            let file = try DatabaseFile(path, fileSystem: input.fileSystem)
            guard file.size > 0, let opened = try input.open(database, file, passphrase, progress) else {
                return nil
            }
            return try KnownSchema.other(path, opened.pages, hasRoots: hasRoots)
        } catch let error as any Failure where error.code == .interrupted {
            throw error
        } catch {
            // A copy that cannot be read is only a lost hint.
            return nil
        }
    }
}
