/// Three clocks, read at one moment, in milliseconds.
package struct JobTime: Sendable, Equatable {
    /// Since 1970. It jumps whenever somebody sets it.
    package var wall: Int64
    /// Since the machine was started. It never jumps, and goes on while the machine sleeps.
    package var sinceBoot: Int64
    /// The same without the time that the machine slept: a worker cannot be heard of while it sleeps.
    package var awake: Int64
    /// Which start of the machine that was.
    package var boot: String

    package init(wall: Int64, sinceBoot: Int64, awake: Int64, boot: String) {
        self.wall = wall
        self.sinceBoot = sinceBoot
        self.awake = awake
        self.boot = boot
    }
}

/// What a queue takes for the time.
package struct JobClock: Sendable {
    private let read: @Sendable () -> JobTime

    package init(_ read: @escaping @Sendable () -> JobTime) { self.read = read }

    /// The time now.
    package func now() -> JobTime { read() }

    /// The machine's own clocks.
    package static let system = JobClock { SystemTime.now() }
}
