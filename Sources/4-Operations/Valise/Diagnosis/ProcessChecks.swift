import ValiseSecrets

/// What the system grants this process.
enum ProcessChecks {
    /// Below it, a command with several accounts and relays may get memory that is not locked.
    private static let enough: Int64 = 1 << 20

    static func findings() -> [Diagnosis.Finding] { [memory, coreDumps] }

    private static var memory: Diagnosis.Finding {
        let limit = LockedMemory.limit
        let most: RedactableText =
            if let limit {
                "locked memory works, at most \(bytes: limit)"
            } else {
                "locked memory works, without a limit"
            }
        return switch LockedMemory.attempt() {
        case .unavailable:
            Diagnosis.Finding(
                .memory, .problem, "memory for secrets cannot be allocated", .raiseLockedMemory)
        case .unlocked:
            Diagnosis.Finding(
                .memory, .note, "memory for secrets cannot be locked, so it may be swapped to disk",
                .raiseLockedMemory)
        case .locked where (limit ?? .max) < enough:
            Diagnosis.Finding(.memory, .note, most, .raiseLockedMemory)
        case .locked: Diagnosis.Finding(.memory, .ok, most)
        }
    }

    private static var coreDumps: Diagnosis.Finding {
        ProcessProtection.forbidsCoreDumps
            ? Diagnosis.Finding(.coreDumps, .ok, "core dumps are off")
            : Diagnosis.Finding(
                .coreDumps, .problem, "core dumps are possible, and would contain passphrases",
                .forbidCoreDumps)
    }
}
