import CValisePlatform

/// What keeps secrets out of files that a crash would leave behind.
public enum ProcessProtection {
    /// Switches core dumps off for this process. Returns whether the system agreed.
    public static func forbidCoreDumps() -> Bool {
        valise_forbid_core_dumps() == 0
    }
}
