import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseMoves
import ValiseSecrets
import ValiseTransfers

/// The kind of the error that a run ends with.
func kind<Value: Sendable>(_ body: () async throws -> Value) async throws -> DeviceMigrationError.Kind? {
    let error = await #expect(throws: DeviceMigrationError.self) { _ = try await body() }
    return error?.kind
}

extension FingerprintWords {
    static var sample: FingerprintWords {
        AccountProof(
            chat: Array(repeating: 9, count: 32), agent: Array(repeating: 9, count: 32),
            media: Array(repeating: 9, count: 32)
        ).words
    }
}

/// A disk with little room.
struct LittleSpace: FileInterposer {
    let free: Int64

    func verdict(on operation: FileOperation) -> FileOperationVerdict { .proceed }
    func freeSpace(_ space: Int64) -> Int64 { free }
}
