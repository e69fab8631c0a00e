import Synchronization
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures

/// Finds out whether conditions hold where two write at the same time.
///
/// Source: the fact sheet of tcfs, section 11: an object
/// `.tcfs-capability-probes/conditional-write-{uuid}`, for whose creation two writers race, and then for its update. One has to
/// win each race, and the object has to be what the winner wrote.
struct ConditionalWriteProbe {
    private let store: any ObjectStore
    private let key: ObjectKey

    /// Both writers of a race may be told to come again.
    private static let mostAttempts = 5

    /// - Parameters:
    ///   - store: that is probed.
    ///   - prefix: of the key: empty, or with a slash at its end.
    /// - Throws: ``StorageError``: `invalid` for a prefix that no key can have.
    init(_ store: any ObjectStore, prefix: String) throws(StorageError) {
        self.store = store
        key = try ObjectKey("\(prefix).tcfs-capability-probes/conditional-write-\(Self.uuid())")
    }

    /// A random one, in its usual form.
    private static func uuid() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
        (bytes[6], bytes[8]) = (bytes[6] & 0x0f | 0x40, bytes[8] & 0x3f | 0x80)
        let digits = Hexadecimal.encode(bytes)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { text += "-" }
            text.append(digit)
        }
        return text
    }

    /// - Returns: whether they hold. The object is gone then.
    /// - Throws: ``StorageError`` where the store cannot be asked.
    func run() throws -> Bool {
        let answer = Result { try holds() }
        do {
            try store.remove(key)
        } catch let error as StorageError where error.code == .denied {
            // A store that only appends keeps this, too.
        } catch {
            // What came first is what is wrong.
            _ = try answer.get()
            throw error
        }
        return try answer.get()
    }

    private func holds() throws -> Bool {
        guard let created = try race(.isAbsent, ["first", "second"]),
            try race(.isUnchanged(created), ["third", "fourth"]) != nil
        else { return false }
        return true
    }

    /// - Returns: what the winner wrote; nil where conditions do not hold.
    private func race(_ condition: WriteCondition, _ contents: [String]) throws -> ObjectVersion? {
        for attempt in 1... {
            let results = Mutex<[Result<ObjectVersion, any Error>?]>([nil, nil])
            try ParallelBatches.run(
                count: 2, workers: 2, makeWorker: {},
                work: { _, number in
                    let result = Result { try store.put(key, Array(contents[number].utf8), if: condition) }
                    results.withLock { $0[number] = result }
                })
            var winners: [(content: String, version: ObjectVersion)] = []
            var isBusy: StorageError?
            for (content, result) in zip(contents, results.withLock { $0 }) {
                do {
                    if let version = try result?.get() { winners.append((content, version)) }
                } catch let error as StorageError {
                    if error.kind == .busy { isBusy = error }
                    if error.code == .unsupported { return nil }
                    guard [.busy, .changed].contains(error.kind) else { throw error }
                }
            }
            if winners.isEmpty, let isBusy {
                guard attempt < Self.mostAttempts else { throw isBusy }
                continue
            }
            guard winners.count == 1, try isStored(winners[0]) else { return nil }
            return winners[0].version
        }
        return nil
    }

    private func isStored(_ winner: (content: String, version: ObjectVersion)) throws -> Bool {
        let found = try store.get(key, nil, mostBytes: 1 << 10)
        return found.content == Array(winner.content.utf8) && found.version == winner.version
    }
}
