import ValiseFailures
import ValiseTransfers
import ValiseXFTPWire

/// What relays are approved for.
enum RelayUse: Sendable {
    /// To receive something from them.
    case receiving
    /// To tell them that it has arrived.
    case receipt
}

extension OperationContext {
    /// Which relays something may be received from: those of the user's list, and those about which he says yes.
    ///
    /// - Parameters:
    ///   - approvesAll: whether all were approved, or none learns the address.
    ///   - others: approved before.
    ///   - unasked: makes the error where nobody can be asked; nil where that counts as no.
    ///   - use: what the user is asked about them for.
    ///   - approved: is told of relays about which the user said yes.
    func relayApproval(
        approvesAll: Bool, besides others: [XFTPAddress] = [],
        unasked: (@Sendable ([XFTPAddress]) -> OperationError)? = nil,
        for use: RelayUse = .receiving,
        approved: @escaping @Sendable ([XFTPAddress]) throws -> Void = { _ in }
    ) throws -> RelayApproval {
        if approvesAll { return .all }
        let known = try KnownRelays.configured(folders).map(\.address) + others
        return RelayApproval(known: known) { unknown in
            let answer = try await questions.answer(
                use == .receipt ? .notifyRelays(unknown) : .useRelays(unknown))
            if answer == nil, let unasked { throw unasked(unknown) }
            guard answer == true else { return false }
            try approved(unknown)
            return true
        }
    }
}

extension OperationError {
    /// What was received is kept, with a job that goes on once they are approved.
    static func unapproved(_ relays: [XFTPAddress]) -> OperationError {
        OperationError(
            .invalid, "\(exposure(to: relays)). What was received is kept.", need: .relayApproval)
    }

    /// Nothing is kept.
    static func unapprovedOfFile(_ relays: [XFTPAddress]) -> OperationError {
        OperationError(.invalid, "\(exposure(to: relays)). Nothing was received.", remedy: .approveRelays)
    }

    private static func exposure(to relays: [XFTPAddress]) -> String {
        "relays that you have not approved would see your network address: "
            + relays.map(\.text).joined(separator: ", ")
    }
}

extension ResumptionContext {
    /// Which relays a job may use that receives something: a yes of an earlier run counts too, and another one is remembered.
    func relayApproval(approvesAll: Bool, for use: RelayUse = .receiving) throws -> RelayApproval {
        let memory = FileDownloadMemory(memory)
        return try operation.relayApproval(
            approvesAll: approvesAll || user?.approvesRelays == true, besides: memory.approvedRelays, for: use
        ) { try remember(memory.approving($0).bytes) }
    }
}
