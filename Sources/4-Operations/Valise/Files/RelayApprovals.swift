import ValiseFailures
import ValiseTransfers
import ValiseXFTPWire

extension OperationContext {
    /// Which relays something may be received from: those of the user's list, and those about which he says yes.
    ///
    /// - Parameters:
    ///   - approvesAll: whether all were approved, or none learns the address.
    ///   - others: approved before.
    ///   - requiresAnswer: whether it is an error of its own that nobody can be asked; otherwise that counts as no.
    ///   - approved: is told of relays about which the user said yes.
    func relayApproval(
        approvesAll: Bool, besides others: [XFTPAddress] = [], requiresAnswer: Bool = false,
        approved: @escaping @Sendable ([XFTPAddress]) throws -> Void = { _ in }
    ) throws -> RelayApproval {
        if approvesAll { return .all }
        let known = try KnownRelays.configured(folders).map(\.address) + others
        return RelayApproval(known: known) { unknown in
            let answer = try await questions.answer(.useRelays(unknown))
            if answer == nil, requiresAnswer {
                throw OperationError(
                    .invalid,
                    "relays that you have not approved would see your network address: "
                        + "\(unknown.map(\.text).joined(separator: ", ")). What was received is kept.",
                    need: .relayApproval)
            }
            guard answer == true else { return false }
            try approved(unknown)
            return true
        }
    }
}

extension ResumptionContext {
    /// Which relays a job may use that receives something: a yes of an earlier run counts too, and another one is remembered.
    func relayApproval(approvesAll: Bool) throws -> RelayApproval {
        let memory = FileDownloadMemory(memory)
        return try operation.relayApproval(
            approvesAll: approvesAll || user?.approvesRelays == true, besides: memory.approvedRelays
        ) { try remember(memory.approving($0).bytes) }
    }
}
