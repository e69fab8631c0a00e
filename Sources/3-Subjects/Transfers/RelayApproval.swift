import ValiseFailures
package import ValiseXFTPWire

/// Which relays may learn the user's network address when a file is received.
///
/// Who receives through a proxy gives nothing away and approves all.
package struct RelayApproval: Sendable {
    /// Asks the user about relays he does not know; false means no.
    package typealias Question = @Sendable ([XFTPAddress]) async throws -> Bool

    private let known: [XFTPAddress]
    private let approvesAll: Bool
    private let ask: Question?

    /// All relays.
    package static let all = RelayApproval(known: [], approvesAll: true, ask: nil)

    /// - Parameters:
    ///   - known: those that are used without a question.
    ///   - ask: nil to refuse others.
    package init(known: [XFTPAddress], ask: Question? = nil) {
        self.init(known: known, approvesAll: false, ask: ask)
    }

    private init(known: [XFTPAddress], approvesAll: Bool, ask: Question?) {
        self.known = known
        self.approvesAll = approvesAll
        self.ask = ask
    }

    /// The same for an operation of several runs, none of which asks about what an earlier one was told.
    ///
    /// - Parameters:
    ///   - approved: addresses that the user approved in an earlier run. One that cannot be read is asked about again.
    ///   - note: keeps those that he approves in this run.
    package func remembering(
        _ approved: [String], note: @escaping @Sendable ([String]) throws -> Void
    ) -> RelayApproval {
        guard let ask else {
            return RelayApproval(known: known + Self.addresses(approved), approvesAll: approvesAll, ask: nil)
        }
        let noting: Question = { relays in
            guard try await ask(relays) else { return false }
            try note(relays.map(\.text))
            return true
        }
        return RelayApproval(known: known + Self.addresses(approved), approvesAll: approvesAll, ask: noting)
    }

    private static func addresses(_ texts: [String]) -> [XFTPAddress] {
        texts.compactMap { try? XFTPAddress($0) }
    }

    /// Those of some relays that nobody approved, each once.
    ///
    /// All hosts count: an address with a known fingerprint and another host would give the user's away before the
    /// fingerprint is seen to be wrong.
    package func unknown(among relays: [XFTPAddress]) -> [XFTPAddress] {
        guard !approvesAll else { return [] }
        var seen: Set<XFTPAddress> = []
        return relays.filter { relay in seen.insert(relay).inserted && !known.contains { $0.covers(relay) } }
    }

    /// - Parameter approved: relays that an earlier check let through; nobody is asked about them again.
    /// - Throws: ``FileTransferError``: `fileNotApproved`; whatever the question throws.
    func check(_ relays: [XFTPAddress], besides approved: [XFTPAddress] = []) async throws {
        let unknown = unknown(among: relays).filter { relay in !approved.contains { $0.covers(relay) } }
        if unknown.isEmpty { return }
        if let ask, try await ask(unknown) { return }
        let list = unknown.map(\.text).joined(separator: ", ")
        throw FileTransferError(
            .fileNotApproved(unknownServers: unknown), .denied,
            "relays that you have not approved would see your network address: \(list). Nothing was "
                + "received.", remedy: .approveRelays)
    }
}

extension XFTPAddress {
    fileprivate func covers(_ other: XFTPAddress) -> Bool {
        fingerprint == other.fingerprint && (port ?? Self.defaultPort) == (other.port ?? Self.defaultPort)
            && Set(hosts).isSuperset(of: other.hosts)
    }
}
