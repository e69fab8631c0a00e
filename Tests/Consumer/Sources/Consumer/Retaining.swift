import Valise

/// Agrees to the removal of earlier archives, and answers nothing else.
struct Agreeing: Questions {
    func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? { nil }

    func answer(_ question: Question) async throws -> Bool? {
        if case .removeArchives = question { return true }
        return nil
    }
}

/// Exports an account to an archive with the day in its name, and keeps the newest archives with such names.
///
/// - Returns: what was exported, and the paths of the archives that were removed.
func backUp(
    _ account: AccountLocation, to folder: FilePath, keeping count: Int, passphrase: SharedSecret
) async throws -> RetainedExport {
    let context = OperationContext(
        folders: ValiseFolders(state: folder.appending("state")), questions: Agreeing())
    let newest = try TemplatedPath(folder.appending("backup-{account}-{date}.tar"), of: account)
    var options = ArchiveExport.Options()
    options.format = .tar
    let retention = RetainArchives(newest: newest, count: count)
    let export = ExportAndRetain(
        of: account, to: .file(newest.path), options: options, passphrase: .secret(passphrase),
        retention: retention)
    let plan = try await export.plan(in: context)
    let exported = try await export.run(in: context)
    let more = try await retention.run(in: context)
    guard plan.export.entries > 0, exported.export.entries > 0, plan.removed == exported.removed,
        more.removed.isEmpty, more.failures.isEmpty
    else { fatalError("\(plan) \(exported) \(more)") }
    return exported
}
