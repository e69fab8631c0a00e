/// Three clocks, read at one moment, in milliseconds.
public struct JobTime: Sendable, Equatable {
    /// Since 1970. It jumps whenever somebody sets it.
    public var wall: Int64
    /// Since the machine was started. It never jumps, and goes on while the machine sleeps.
    public var sinceBoot: Int64
    /// The same without the time that the machine slept: a worker cannot be heard of while it sleeps.
    public var awake: Int64
    /// Which start of the machine that was.
    public var boot: String

    public init(wall: Int64, sinceBoot: Int64, awake: Int64, boot: String) {
        self.wall = wall
        self.sinceBoot = sinceBoot
        self.awake = awake
        self.boot = boot
    }
}

/// What a queue takes for the time.
public struct JobClock: Sendable {
    private let read: @Sendable () -> JobTime

    public init(_ read: @escaping @Sendable () -> JobTime) { self.read = read }

    /// The time now.
    public func now() -> JobTime { read() }

    /// The machine's own clocks.
    public static let system = JobClock { SystemTime.now() }
}
