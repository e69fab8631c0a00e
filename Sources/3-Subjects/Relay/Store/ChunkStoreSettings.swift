public import SystemPackage
public import ValiseEncoding
import ValiseFiles

/// Where a relay keeps its chunks, how many and for how long.
public struct ChunkStoreSettings: Sendable {
    /// What relays of the network take, in bytes.
    public static let usualSizes: Set<UInt32> = [65_536, 262_144, 1_048_576, 4_194_304]
    /// 48 hours, in seconds.
    public static let usualLifetime: Int64 = 172_800

    /// A million names: 130 MB of memory.
    public static let usualMostNames = 1_000_000

    /// Of the bodies. Made where it is missing; no other relay may use it.
    public var folder: FilePath
    /// The store log. Without one every restart forgets all chunks.
    public var log: FilePath?
    /// The most bytes of bodies, those that are just coming in included; nil for as many as the disk takes.
    public var quota: Int64?
    /// How long chunks are kept, in seconds: up to an hour more, because they carry only the hour of their creation.
    public var lifetime: Int64
    /// In bytes.
    public var allowedSizes: Set<UInt32>
    /// The most names of senders and recipients together. Each takes up to 130 bytes of memory; one with a key of
    /// Ed448 counts as three, a digest of another length than that of SHA-256 as four.
    public var mostNames: Int
    /// The most recipients that one chunk may have at a time.
    public var mostRecipients = 10_000
    /// Where the counters are kept while the relay is down; nil to begin from zero each time.
    public var statistics: FilePath?
    /// Seconds since 1970.
    public var clock: @Sendable () -> Int64
    /// How much longer than twice its length after the last time the log is before it is compacted, in bytes.
    var mostLogGrowth: Int64 = 64 << 20
    /// How much longer than three times that length the log may be before nothing new is announced, in bytes.
    var hardLogGrowth: Int64 = 128 << 20
    /// Bytes that may still be written where a folder lies.
    var freeSpace: @Sendable (FilePath) throws -> Int64 = { try FileSystem().freeSpace(at: $0) }

    public init(
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
}
