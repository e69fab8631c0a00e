import Synchronization
import ValiseFiles

/// The files that an image has open: a few, the ones that were read last.
///
/// Each is asked for the file's state at every read, not only when it is opened: who reads for hours learns of a
/// change at once, and never uses bytes that are not those of the scan.
final class ImageFiles: Sendable {
    private struct Slot {
        let index: Int
        let source: FileSource
    }

    /// The last one was used last.
    private let slots = Mutex<[Slot]>([])

    /// One for each thread that reads, and not many: a process may have a thousand.
    private static let most = 16

    /// The open file of the entry of that number.
    /// - Parameter open: opens and checks it.
    func source(_ index: Int, open: () throws -> FileSource) throws -> FileSource {
        let found = slots.withLock { slots -> FileSource? in
            guard let place = slots.lastIndex(where: { $0.index == index }) else { return nil }
            let slot = slots.remove(at: place)
            slots.append(slot)
            return slot.source
        }
        if let found { return found }
        let source = try open()
        let oldest = slots.withLock { slots -> Slot? in
            slots.append(Slot(index: index, source: source))
            return slots.count > Self.most ? slots.removeFirst() : nil
        }
        // Closed here, without the lock, unless another thread is reading it.
        withExtendedLifetime(oldest) {}
        return source
    }
}
