import NIOCore
import Synchronization

/// The connections that are open: more than programs of one user make are closed at once.
final class OpenChannels: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    private static let most = 64

    /// - Returns: false where there are too many.
    func admit(_ channel: any Channel) -> Bool {
        let name = ObjectIdentifier(channel)
        let isAdmitted = channels.withLock { channels in
            guard channels.count < Self.most else { return false }
            channels[name] = channel
            return true
        }
        if isAdmitted {
            channel.closeFuture.whenComplete { [self] _ in channels.withLock { $0[name] = nil } }
        }
        return isAdmitted
    }

    func closeAll() {
        for channel in channels.withLock({ Array($0.values) }) { channel.close(promise: nil) }
    }
}
