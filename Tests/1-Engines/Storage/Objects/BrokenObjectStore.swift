import FaultInjection
import StoreContract
import ValiseFailures
import ValiseFiles
import ValiseStorage

/// A store of objects that does not keep one of the promises.
struct BrokenObjectStore: ObjectStore {
    enum Defect: CaseIterable {
        case shortAnswers, ignoredRanges, noLimit, lostPuts, ignoredConditions, racingConditions, oneVersion,
            wrongSizes, kept, failingRemovals, silentAbsence, otherOrder, ignoredPlace, ignoredDelimiter,
            listedTwice,
            endlessLists, foldedNames, wrongAnswer, uncheckedDigests, shortPieces, wrongWholeSizes,
            lostFailures
    }

    private let store: any ObjectStore
    private let defect: Defect

    init(_ store: any ObjectStore, _ defect: Defect) {
        self.store = store
        self.defect = defect
    }

    var location: String { "\(defect)" }

    func hasConditionalWrites() throws -> Bool {
        try store.hasConditionalWrites() != (defect == .wrongAnswer)
    }

    private func stored(_ key: ObjectKey) throws -> ObjectKey {
        defect == .foldedNames ? try ObjectKey(key.text.lowercased()) : key
    }

    private func version(_ version: ObjectVersion) -> ObjectVersion {
        defect == .oneVersion ? ObjectVersion("1") : version
    }

    func get(_ key: ObjectKey, _ range: Range<Int64>?, mostBytes: Int) throws -> StoredObject {
        let key = try stored(key)
        if defect == .silentAbsence, try store.attributes(of: key) == nil {
            return StoredObject(content: [], version: ObjectVersion("0"))
        }
        let found = try store.get(
            key, defect == .ignoredRanges ? nil : range,
            mostBytes: defect == .noLimit || range != nil ? .max : mostBytes)
        let content = defect == .shortAnswers ? found.content.dropLast() : found.content
        return StoredObject(content: content, version: version(found.version))
    }

    @discardableResult
    func read(
        _ key: ObjectKey, _ range: Range<Int64>,
        _ take: (_ piece: UnsafeRawBufferPointer, _ version: ObjectVersion) throws -> Void
    ) throws -> Int64 {
        let size = try store.read(stored(key), range) { piece, found in
            let count = piece.count - (defect == .shortPieces ? 1 : 0)
            do {
                try take(UnsafeRawBufferPointer(rebasing: piece[..<count]), version(found))
            } catch  where defect == .lostFailures {}
        }
        return defect == .wrongWholeSizes ? range.upperBound : size
    }

    @discardableResult
    func put(_ key: ObjectKey, _ source: ObjectSource, if condition: WriteCondition) throws -> ObjectVersion {
        guard defect == .uncheckedDigests else { return try put(key, source.content(), if: condition) }
        return try put(key, source.bytes.bytes(at: 0, upTo: Int(source.size)), if: condition)
    }

    func attributes(of key: ObjectKey) throws -> ObjectAttributes? {
        try store.attributes(of: stored(key)).map { found in
            ObjectAttributes(
                size: found.size + (defect == .wrongSizes ? 1 : 0), version: version(found.version),
                modified: found.modified)
        }
    }

    func put(_ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition) throws -> ObjectVersion {
        let key = try stored(key)
        switch defect {
        case .lostPuts where content.count == 1: return ObjectVersion("1")
        case .ignoredConditions: return try store.put(key, content, if: .always)
        case .racingConditions where condition != .always:
            let version = try store.attributes(of: key)?.version
            let isMet =
                condition == .isAbsent
                ? version == nil : version.map { condition == .isUnchanged($0) } ?? false
            guard isMet else { throw StorageError(.changed, .failed, "changed") }
            FileSystem.wait(.milliseconds(2))
            return try store.put(key, content, if: .always)
        case .oneVersion:
            // Its conditions hold all the same.
            guard case .isUnchanged = condition, let current = try store.attributes(of: key)?.version else {
                return version(try store.put(key, content, if: condition))
            }
            return version(try store.put(key, content, if: .isUnchanged(current)))
        default: return try store.put(key, content, if: condition)
        }
    }

    func remove(_ key: ObjectKey) throws {
        let key = try stored(key)
        switch defect {
        case .kept: return
        case .failingRemovals where try store.attributes(of: key) == nil:
            throw StorageError(.general, .notFound, "no such object")
        default: try store.remove(key)
        }
    }

    func list(
        _ prefix: String, isDelimited: Bool, after: String?, _ body: (ListedObject) throws -> Bool
    ) throws {
        var listed = try store.listed(
            prefix, isDelimited && defect != .ignoredDelimiter, after: defect == .ignoredPlace ? nil : after)
        switch defect {
        case .otherOrder: listed.sort { $0.text < $1.text }
        case .listedTwice: listed += listed.suffix(1)
        default: break
        }
        for object in listed {
            guard try body(object) || defect == .endlessLists else { return }
        }
    }
}
