import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseJobQueue
import ValiseMoves
import ValiseTransfers

/// Jobs that failed or wait, and what interrupted operations left.
struct WorkChecks {
    /// So many are told one by one.
    private static let most = 20

    private let context: OperationContext
    private let account: AccountLocation?

    init(_ context: OperationContext, _ account: AccountLocation?) {
        self.context = context
        self.account = account
    }

    /// - Throws: `Interruption` and `CancellationError` only: all else is a finding.
    func findings() async throws -> [Diagnosis.Finding] {
        // Without a folder nothing is kept.
        guard context.folders.state != nil else { return [] }
        return try await jobs() + leftovers()
    }

    // MARK: Jobs

    private func jobs() async throws -> [Diagnosis.Finding] {
        try await attempt(.jobs, "no unfinished jobs", ListOperations([.jobs])) { record in
            record.job.flatMap(unfinished)
        }
    }

    /// Nil for one that runs, or that waits for its time.
    private func unfinished(_ job: Job) -> Diagnosis.Finding? {
        let id = job.id.rawValue
        return switch job.state {
        case .failed:
            Diagnosis.Finding(
                .jobs, .problem, "job \(Int(id)) failed: \(title: job.title)", .common(.showJob(id)))
        case .needsUser:
            Diagnosis.Finding(
                .jobs, .note, "job \(Int(id)) is waiting for you: \(title: job.title)",
                .common(.showJob(id)))
        case .running where !job.isLeft: nil
        case .waiting, .running:
            Diagnosis.Finding(
                .jobs, .note, "job \(Int(id)) is unfinished: \(title: job.title)", .common(.runJobs))
        case .finished, .cancelled: nil
        }
    }

    // MARK: Leftovers

    private func leftovers() async throws -> [Diagnosis.Finding] {
        let found = try await attempt(
            .leftovers, nil,
            ListOperations([.moves, .downloads, .relays], accounts: account.map { [$0] } ?? []), leftover)
        let uploads = try await attempt(.leftovers, nil, ListOperations([.uploads]), leftover)
        let all = found + uploads
        return all.isEmpty
            ? [Diagnosis.Finding(.leftovers, .ok, "no leftover files of interrupted operations")] : all
    }

    private func leftover(_ record: OperationRecord) -> Diagnosis.Finding? {
        if case .running = record.state { return nil }
        return switch record.origin {
        case .job: nil
        case .account(_, let account):
            Diagnosis.Finding(
                .leftovers, .problem,
                "an interrupted operation is pending in the account \(path: account.directory)",
                .common(.recoverAccount(Remedy.Account(account))))
        case .move:
            Diagnosis.Finding(.leftovers, .note, "unfinished: \(title: record.title)", .showMoves)
        case .upload:
            Diagnosis.Finding(.leftovers, .note, "interrupted: \(title: record.title)", .showUploads)
        case .download, .servedRelay:
            Diagnosis.Finding(.leftovers, .note, "interrupted: \(title: record.title)", .showJobs)
        }
    }

    // MARK: Listing

    /// - Parameter none: what is said where there is nothing; nil for no line.
    private func attempt(
        _ check: Diagnosis.Check, _ none: RedactableText?, _ list: ListOperations,
        _ finding: (OperationRecord) -> Diagnosis.Finding?
    ) async throws -> [Diagnosis.Finding] {
        do {
            let found = try await list.run(in: context).records.compactMap(finding)
            if found.isEmpty { return none.map { [Diagnosis.Finding(check, .ok, $0)] } ?? [] }
            guard found.count > Self.most else { return found }
            let rest = found.count - Self.most
            return Array(found.prefix(Self.most)) + [
                Diagnosis.Finding(check, .note, "and \(rest) more", .showJobs)
            ]
        } catch let error as CancellationError {
            throw error
        } catch let error as Interruption {
            throw error
        } catch {
            return [
                Diagnosis.Finding(
                    check, .problem, "the records cannot be read: \(failure: error)", remedy(check, error))
            ]
        }
    }

    /// For records that cannot be read.
    private func remedy(_ check: Diagnosis.Check, _ error: any Error) -> DiagnosisRemedy {
        let state = context.folders.state ?? "."
        switch (error as? any Failure)?.code {
        case .newer?: return .common(.updateProgram)
        case .inUse?: return .common(.giveCommandAgain)
        case .damaged?, .notFound?, .unsupported?:
            return check == .jobs ? .setAside(state.appending("jobs")) : .access(to: state, after: error)
        default: return .access(to: state, after: error)
        }
    }
}
