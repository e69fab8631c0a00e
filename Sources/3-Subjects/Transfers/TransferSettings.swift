import ValiseEncoding
import ValiseMediaRules
package import ValiseXFTPClient

/// How files are transferred, whichever they are.
package struct TransferSettings: Sendable {
    /// How many chunks are on their way at once, 1 to 8; the nearest of these where it is set to another. Each takes up to
    /// 4 MiB of memory.
    package var parallelChunks = 4 {
        didSet { parallelChunks = min(max(parallelChunks, 1), 8) }
    }
    /// When a chunk is tried again that could not be transferred for a time.
    package var retries = RetryPolicy(attempts: 12)
    /// Waits between tries.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// The largest file that one description names, in bytes as it travels; larger ones are divided.
    package var largestDescription = MediaLimits.xftp
    /// From which size on there is a warning, in bytes.
    package var warningSize = MediaLimits.xftpInChat
    /// How long an interrupted upload can be resumed, in seconds: relays forget chunks after 48 hours.
    package var uploadLifetime: Int64 = 24 * 3600
    /// How long relays are told that a file was received, which is there by then.
    package var acknowledgementTime: Duration = .seconds(60)
    /// How long what an interrupted download left is kept, in seconds; then the next download into the same folder
    /// removes it.
    package var downloadLifetime: Int64 = 7 * 24 * 3600
    /// Seconds since 1970.
    package var now: @Sendable () -> Int64 = UTCTime.clock

    package init() {}
}
