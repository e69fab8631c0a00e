import SystemPackage
import ValiseFailures
import ValiseXFTPClient
import ValiseXFTPWire

/// Whether relays can be reached, and how fast.
struct RelayChecks {
    private let choice: RelayChoice
    private let proxy: ProxyAddress?
    private let folders: ValiseFolders

    /// Whoever waits for a check wants no transfer.
    private static let patience: Duration = .seconds(20)

    init(_ choice: RelayChoice, _ proxy: ProxyAddress?, _ folders: ValiseFolders) {
        self.choice = choice
        self.proxy = proxy
        self.folders = folders
    }

    /// - Throws: `CancellationError` only: all else is a finding.
    func findings() async throws -> [Diagnosis.Finding] {
        let addresses: [XFTPAddress]
        do {
            let relays = try choice.isGiven ? choice.relays(folders) : KnownRelays.configured(folders)
            addresses = relays.map(\.address)
        } catch {
            return [unusable(error)]
        }
        guard !addresses.isEmpty else {
            return [Diagnosis.Finding(.relay, .note, "your list has no relays", .listRelays)]
        }
        return try await findings(addresses)
    }

    private func unusable(_ error: any Error) -> Diagnosis.Finding {
        let text: RedactableText = "the list of relays cannot be used: \(failure: error)"
        // Such as that it has passwords, and others can read it.
        guard let remedy = (error as? any Failure)?.remedy else {
            return Diagnosis.Finding(.relay, .problem, text, choice.isGiven ? .checkRelay : .listRelays)
        }
        return Diagnosis.Finding(.relay, .problem, text, .common(remedy))
    }

    /// All at once, in the order of their list.
    private func findings(_ addresses: [XFTPAddress]) async throws -> [Diagnosis.Finding] {
        var options = RelayConnectionOptions(through: proxy)
        options.timeouts.connect = Self.patience
        options.timeouts.command = Self.patience
        return try await withThrowingTaskGroup(of: (Int, Diagnosis.Finding).self) { [options] group in
            for (number, address) in addresses.enumerated() {
                group.addTask { (number, try await Self.finding(address, options)) }
            }
            var found: [(Int, Diagnosis.Finding)] = []
            for try await finding in group { found.append(finding) }
            return found.sorted { $0.0 < $1.0 }.map { $0.1 }
        }
    }

    private static func finding(
        _ address: XFTPAddress, _ options: RelayConnectionOptions
    ) async throws -> Diagnosis.Finding {
        do {
            let probe = try await RelayProbe.run(address, options)
            return Diagnosis.Finding(
                .relay, .ok,
                """
                \(relay: address) can be reached: connected in \(milliseconds(probe.connecting)) ms, \
                answered in \(milliseconds(probe.answering)) ms
                """
            )
        } catch let error as CancellationError {
            throw error
        } catch {
            return Diagnosis.Finding(
                .relay, .problem,
                "\(relay: address) cannot be reached: \(reason: error, after: "cannot connect to the relay: ")",
                .checkRelay)
        }
    }

    private static func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }
}
