import Valise

/// What an app shows before it changes anything: accounts, how files would be transferred, and the installation's problems.
struct Overview {
    let accounts: [AccountLocation]
    let transfers: [PlannedTransfer]
    let problems: [String]

    /// - Parameters:
    ///   - folder: searched for accounts.
    ///   - files: would be transferred.
    static func look(
        below folder: FilePath, _ files: [FilePath], in context: OperationContext
    ) async throws -> Overview {
        let search = FindAccounts(of: UserHome(home: folder), in: [folder])
        let found = try await search.run(in: context).accounts.filter { !$0.isInBackup }
        let planned = try await PlanTransfers(of: files).run(in: context)
        if let failure = planned.failures.first { throw failure }
        let diagnosis = try await Diagnose(account: found.first?.location).run(in: context)
        return Overview(
            accounts: found.map(\.location), transfers: planned.files,
            problems: diagnosis.findings.filter { $0.state == .problem }.map(\.message))
    }
}

/// Draws a recovery sheet of an account, compares it, and lists the migrations that the account needs.
func drawSheet(
    of account: AccountLocation, to file: FilePath, passphrase: SharedSecret, in context: OperationContext
) async throws -> [String] {
    let given = PassphraseSource.secret(passphrase)
    let drawing = DrawRecoverySheet(
        of: account, to: file, as: .svg, date: "2026-01-01", passphrase: given)
    let planned = try await drawing.plan(in: context)
    _ = try await drawing.run(in: context)
    print("a sheet in \(planned.created)")
    _ = try await VerifyRecoverySheet(of: account, passphrase: given).run(in: context)
    let list = try await ListMigrations(of: account, passphrase: given).run(in: context)
    return list.steps.flatMap(\.migrations)
}

/// Sets a relay up, rotates its key, runs it until its operator stops it, and says what clients would need to reach it.
func setUpRelay(in folder: FilePath, in context: OperationContext) async throws -> String {
    let made = try await InitializeRelay(in: folder, hostNames: ["127.0.0.1"], port: 0).run(in: context)
    let renewal = RenewRelay(in: folder)
    let renewed = try await renewal.plan(in: context)
    _ = try await renewal.run(in: context)
    let block = OperateRelay(.block(recipient: "AAAA", .spam), in: folder)
    let stop = OperateRelay(.stop, in: folder)
    let relay = RunRelay(in: folder, version: "1.0") { started in
        let status = try await stop.plan(in: context).relay
        guard status.address == started.address, status.usedSpace == 0 else {
            fatalError("\(status) \(started)")
        }
        if (try? await block.plan(in: context)) != nil { fatalError("a chunk that is not there was found") }
        guard try await stop.run(in: context).recipient == nil else { fatalError("a chunk was named") }
    }
    let plan = try await relay.plan(in: context)
    try await relay.run(in: context)
    guard plan.address == made.address, renewed.replaced.count == 2 else {
        fatalError("\(plan) \(made) \(renewed)")
    }
    return made.address
}
