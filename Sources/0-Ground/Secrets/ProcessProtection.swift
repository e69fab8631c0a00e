import CValisePlatform

/// What keeps secrets out of files that a crash would leave behind.
package enum ProcessProtection {
    /// Switches core dumps off for this process. Returns whether the system agreed.
    package static func forbidCoreDumps() -> Bool {
        valise_forbid_core_dumps() == 0
    }

    /// Whether a crash of this process leaves no core dump.
    package static var forbidsCoreDumps: Bool { valise_core_dumps_are_off() }
}
