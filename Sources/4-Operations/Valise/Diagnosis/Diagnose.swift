import SystemPackage
public import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseXFTPClient

/// Checks this installation and the user's folders: libraries, memory, key stores, space, clock, jobs, permissions, and where
/// asked an account and relays. Nothing is changed, nobody is asked, and no database of an account is opened.
///
/// What fails is a finding; a run throws for its report file only, and where it is cancelled.
public struct Diagnose: Operation {
    /// An account to look at.
    package var account: AccountLocation?
    /// Relays to reach; nil for none, as that shows them the user's address.
    package var relays: RelayChoice?
    /// Through which relays are reached; nil for direct connections.
    package var proxy: ProxyAddress?
    /// Where the redacted report goes; nil for none.
    package var reportFile: DiagnosisReportFile?

    /// - Parameters:
    ///   - account: an account to look at.
    ///   - relays: relays to reach; nil for none, as that shows them the user's address.
    ///   - proxy: through which relays are reached; nil for direct connections.
    public init(
        account: AccountLocation? = nil, relays: RelayChoice? = nil, proxy: ProxyAddress? = nil
    ) {
        self.account = account
        self.relays = relays
        self.proxy = proxy
    }

    public func run(in context: OperationContext) async throws -> Diagnosis {
        if let reportFile { try await context.blocking { _ in try reportFile.check() } }
        let watch = ClockWatch()
        var findings = try await context.blocking { _ in
            LibraryChecks.findings() + ProcessChecks.findings()
                + KeyStoreChecks(context.folders).findings()
                + SpaceChecks(context.folders, account).findings()
                + PermissionChecks(context.folders, account).findings()
        }
        findings += try await WorkChecks(context, account).findings()
        if let relays { findings += try await RelayChecks(relays, proxy, context.folders).findings() }
        // A scan that was stopped is no finding.
        try Interruption.checkTask()
        // Behind the others, which give it the time that it compares.
        findings.append(watch.finding())
        let diagnosis = Diagnosis(findings.inOrder)
        if let reportFile { try await context.blocking { _ in try reportFile.write(diagnosis) } }
        return diagnosis
    }
}
