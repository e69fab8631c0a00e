import Foundation
import TestPeers
import Testing

/// Who judges our stores is judged here.
@Suite(.enabled(if: IndependentReader.isThere))
struct IndependentReaderTests {
    @Test func `its reader and writer agree with the vectors, and changes are noticed`() throws {
        let outcome = try IndependentReader.run(
            "tcfs_selftest.py", [Repository.url("Tests/2-Formats/ContentStore/Fixtures").path])
        #expect(outcome.status == 0, "\(outcome.text) \(String(decoding: outcome.errors, as: UTF8.self))")
        #expect(outcome.text.contains("5 stores read back"), "\(outcome.text)")
    }
}
