import ValiseTransfers
import ValiseXFTPWire

extension OperationContext {
    /// Which relays something may be received from: those of the user's list, and those about which he says yes.
    ///
    /// - Parameters:
    ///   - approvesAll: whether all were approved, or none learns the address.
    ///   - others: approved before.
    ///   - approved: is told of relays about which the user said yes.
    func relayApproval(
        approvesAll: Bool, besides others: [XFTPAddress] = [],
        approved: @escaping @Sendable ([XFTPAddress]) throws -> Void = { _ in }
    ) throws -> RelayApproval {
        if approvesAll { return .all }
        let known = try KnownRelays.configured(folders).map(\.address) + others
        return RelayApproval(known: known) { unknown in
            guard try await questions.answer(.useRelays(unknown)) == true else { return false }
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
