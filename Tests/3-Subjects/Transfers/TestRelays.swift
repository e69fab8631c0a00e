import TestPeers
import ValiseRelay
import ValiseTransfers
import ValiseXFTPClient
import ValiseXFTPWire

/// Relays on this machine, and the network to them.
protocol TestRelays {
    var relays: RelayNetwork { get }
    /// Without passwords.
    var accesses: [RelayAccess] { get }
    /// How many contents of chunks are there.
    var contents: Int { get throws }

    func stop(_ index: Int) async
}

/// Which relays a test runs against.
enum RelayKind: CaseIterable, Sendable {
    case own
    /// As strict as the official one.
    case strict

    static let all = StrictRelay.isAvailable ? allCases : [.own]

    /// Runs `body` with so many of them.
    func with(
        _ count: Int = 1, password: String? = nil, quota: Int64? = nil,
        _ body: (any TestRelays) async throws -> Void
    ) async throws {
        switch self {
        case .own: try await OwnRelays.with(count, password: password, quota: quota, body)
        case .strict: try await StrictRelays.with(count, password: password, quota: quota, body)
        }
    }
}

extension OwnRelays: TestRelays {
    var contents: Int { get throws { try stores.reduce(0) { try $0 + $1.usage.uploaded } } }

    func stop(_ index: Int) async { await servers[index].stop() }
}

/// Relays in processes of their own, as strict as the official one.
struct StrictRelays: TestRelays {
    let relays = RelayNetwork()
    let accesses: [RelayAccess]
    private let servers: [StrictRelay]

    static func with(
        _ count: Int, password: String?, quota: Int64?, _ body: (any TestRelays) async throws -> Void
    ) async throws {
        let servers = try (0..<count).map { _ in try StrictRelay(password: password, quota: quota) }
        let network = StrictRelays(
            accesses: try servers.map { RelayAccess(try XFTPAddress($0.address)) }, servers: servers)
        do {
            try await body(network)
        } catch {
            await network.relays.close()
            throw error
        }
        await network.relays.close()
    }

    var contents: Int { get throws { try servers.reduce(0) { try $0 + $1.contentCount() } } }

    func stop(_ index: Int) async { servers[index].stop() }
}
