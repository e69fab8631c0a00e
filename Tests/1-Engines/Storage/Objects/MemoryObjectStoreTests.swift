import Testing
import ValiseStorage

struct MemoryObjectStoreTests {
    @Test func `versions are the numbers of the writes, and times those of the clock`() throws {
        let store = MemoryObjectStore(now: { 1_700_000_000 })
        let (a, b) = (try ObjectKey("a"), try ObjectKey("b"))
        #expect(try store.put(a, [1], if: .always) == ObjectVersion("1"))
        #expect(try store.put(b, [1], if: .isAbsent) == ObjectVersion("2"))
        #expect(storageFailure { try store.put(b, [1], if: .isAbsent) }?.kind == .changed)
        #expect(try store.put(a, [1], if: .isUnchanged(ObjectVersion("1"))) == ObjectVersion("3"))
        let expected = ObjectAttributes(size: 1, version: ObjectVersion("3"), modified: 1_700_000_000)
        #expect(store.attributes(of: a) == expected)
        #expect(store.contents == [a: [1], b: [1]])
    }
}
