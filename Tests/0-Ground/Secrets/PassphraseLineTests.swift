import Testing
import ValiseSecrets

/// The line break that editors, terminals and `echo` put behind a passphrase.
struct PassphraseLineTests {
    @Test(
        arguments: [
            ("abc\n", 3), ("abc\r\n", 3), ("abc", 3), ("abc\r", 4), ("abc\n\n", 4), ("\n", 0), ("", 0),
        ] as [(String, Int)])
    func `one line break at the end is left out`(text: String, count: Int) {
        var bytes = Array(text.utf8)
        let length = bytes.count
        let left = bytes.withUnsafeMutableBytes { PassphraseLine.withoutBreak($0, length) }
        #expect(left == count)
    }
}
