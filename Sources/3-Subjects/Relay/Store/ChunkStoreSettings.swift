package import SystemPackage
import ValiseEncoding
import ValiseFiles

/// What holds for chunks wherever they are kept.
package struct ChunkStoreRules: Sendable {
    /// In bytes.
    package var allowedSizes: Set<UInt32>
    /// How long chunks are kept, in seconds: up to an hour more, because they carry only the hour of their creation.
    package var lifetime: Int64
    /// How long an upload may take before its space is given to others, in seconds. Longer than a connection may take for one.
    package var uploadLifetime: Int64 = 3600
    /// Seconds since 1970.
    package var clock: @Sendable () -> Int64

    package init(
        allowedSizes: Set<UInt32> = ChunkStoreSettings.usualSizes,
        lifetime: Int64 = ChunkStoreSettings.usualLifetime,
        clock: @escaping @Sendable () -> Int64 = UTCTime.clock
    ) {
        self.allowedSizes = allowedSizes
        self.lifetime = lifetime
        self.clock = clock
    }
}

/// Where a relay keeps its chunks, how many and for how long: those of the embedded records and a folder.
package struct ChunkStoreSettings: Sendable {
    /// What relays of the network take, in bytes.
    package static let usualSizes: Set<UInt32> = [65_536, 262_144, 1_048_576, 4_194_304]
    /// 48 hours, in seconds.
    package static let usualLifetime: Int64 = 172_800

    /// A million names: 130 MB of memory.
    package static let usualMostNames = 1_000_000

    /// Of the bodies. Made where it is missing; no other relay may use it.
    package var folder: FilePath
    /// The store log. Without one every restart forgets all chunks.
    package var log: FilePath?
    /// The most bytes of bodies, those that are just coming in included; nil for as many as the disk takes.
    package var quota: Int64?
    /// How long chunks are kept, in seconds: up to an hour more, because they carry only the hour of their creation.
    package var lifetime: Int64
    /// In bytes.
    package var allowedSizes: Set<UInt32>
    /// The most names of senders and recipients together. Each takes up to 130 bytes of memory; one with a key of
    /// Ed448 counts as three, a digest of another length than that of SHA-256 as four.
    package var mostNames: Int
    /// The most recipients that one chunk may have at a time.
    package var mostRecipients = 10_000
    /// Where the counters are kept while the relay is down; nil to begin from zero each time.
    package var statistics: FilePath?
    /// Seconds since 1970.
    package var clock: @Sendable () -> Int64
    /// How much longer than twice its length after the last time the log is before it is compacted, in bytes.
    var mostLogGrowth: Int64 = 64 << 20
    /// How much longer than three times that length the log may be before nothing new is announced, in bytes.
    var hardLogGrowth: Int64 = 128 << 20
    /// Bytes that may still be written where a folder lies.
    var freeSpace: @Sendable (FilePath) throws -> Int64 = { try FileSystem().freeSpace(at: $0) }

    package init(
        folder: FilePath, log: FilePath?, quota: Int64? = nil, lifetime: Int64 = usualLifetime,
        allowedSizes: Set<UInt32> = usualSizes, mostNames: Int = usualMostNames, statistics: FilePath? = nil,
        clock: @escaping @Sendable () -> Int64 = UTCTime.clock
    ) {
        self.folder = folder
        self.log = log
        self.quota = quota
        self.lifetime = lifetime
        self.allowedSizes = allowedSizes
        self.mostNames = mostNames
        self.statistics = statistics
        self.clock = clock
    }

    /// Those of them that hold wherever chunks are kept.
    package var rules: ChunkStoreRules {
        ChunkStoreRules(allowedSizes: allowedSizes, lifetime: lifetime, clock: clock)
    }
}
