import Testing
import ValiseXFTPWire

@Suite struct EntityIDTests {
    @Test func `a name has one byte at least and 255 at most`() {
        #expect(EntityID([]) == nil)
        #expect(EntityID([7])?.bytes == [7])
        #expect(EntityID([UInt8](repeating: 1, count: 255)) != nil)
        #expect(EntityID([UInt8](repeating: 1, count: 256)) == nil)
    }
}
