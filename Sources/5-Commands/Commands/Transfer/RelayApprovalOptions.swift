import ArgumentParser
import ValiseTransfers
import ValiseXFTPWire

/// Which relays may learn the user's network address.
struct RelayApprovalOptions: ParsableArguments {
    @Flag(help: "Use the relays that a link or description names without asking, whoever runs them.")
    var approveRelays = false

    @Flag(help: "Ask nothing: relays that are not in your list are refused.")
    var noInput = false

    /// - Parameters:
    ///   - proxy: through which nobody learns the address.
    ///   - ask: shows a question at the terminal.
    ///   - hint: tells what to do where nobody can be asked.
    ///   - approved: is told of relays about which the user said yes.
    func approval(
        _ proxy: ProxyOption, ask: @escaping @Sendable (String) async throws -> Bool,
        hint: @escaping @Sendable (String) async -> Void,
        approved: @escaping @Sendable ([XFTPAddress]) -> Void = { _ in }
    ) throws -> RelayApproval {
        try Self.approval(
            approvesAll: approveRelays || proxy.proxy != nil, noInput: noInput, ask: ask, hint: hint,
            approved: approved)
    }

    /// For commands whose other options say that nobody is asked.
    static func approval(
        approvesAll: Bool, noInput: Bool, ask: @escaping @Sendable (String) async throws -> Bool,
        hint: @escaping @Sendable (String) async -> Void,
        approved: @escaping @Sendable ([XFTPAddress]) -> Void
    ) throws -> RelayApproval {
        if approvesAll { return .all }
        let known = try KnownRelays.configured().map(\.address)
        guard !noInput, Terminal.isThere else {
            return RelayApproval(known: known) { _ in
                await hint("approve them with --approve-relays, or list them in ~/.config/valise/relays")
                return false
            }
        }
        return RelayApproval(known: known) { unknown in
            guard try await ask(Self.question(unknown)) else { return false }
            approved(unknown)
            return true
        }
    }

    static func question(_ relays: [XFTPAddress]) -> String {
        let list = relays.map { $0.text.withoutControls }.joined(separator: ", ")
        return "Your network address will be visible to \(list). Go on?"
    }
}

extension ActContext {
    /// Which relays a job may use that receives something: those of the user's list, and those about which an earlier run
    /// was told yes; about others the person is asked who is there, and a yes is remembered.
    ///
    /// - Parameter approvesAll: whether all were approved with the command, or none learns the address.
    func relayApproval(approvesAll: Bool) throws -> RelayApproval {
        if approvesAll || person?.approvesRelays == true { return .all }
        let memory = FileDownloadMemory(memory)
        let known = try KnownRelays.configured().map(\.address) + memory.approvedRelays
        guard let confirm = person?.confirm else { return RelayApproval(known: known) }
        return RelayApproval(known: known) { unknown in
            guard try await confirm(RelayApprovalOptions.question(unknown)) else { return false }
            try remember(memory.approving(unknown).bytes)
            return true
        }
    }
}
