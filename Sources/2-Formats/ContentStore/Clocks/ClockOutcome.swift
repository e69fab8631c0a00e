/// What a version here and one in the store mean for each other.
package enum ClockOutcome: Sendable, Hashable {
    /// The content is the same, whatever the clocks say.
    case upToDate
    /// The version here replaces the one in the store.
    case localNewer
    /// The one in the store replaces the version here.
    case remoteNewer
    /// Both were changed: neither replaces the other.
    case conflict

    /// - Parameter isSameContent: whether digest and kind of both are the same.
    package init(local: VectorClock, remote: VectorClock, isSameContent: Bool) {
        if isSameContent {
            self = .upToDate
            return
        }
        switch local.order(to: remote) {
        case .greater: self = .localNewer
        case .less: self = .remoteNewer
        // The same clock for another content: somebody did not count a change.
        case .equal, .concurrent: self = .conflict
        }
    }

    /// Whether the automatic rule of tcfs keeps the version here: that of the device whose name is first, byte by byte.
    package static func keepsLocal(device: String, remoteDevice: String) -> Bool {
        !remoteDevice.utf8.lexicographicallyPrecedes(device.utf8)
    }
}
