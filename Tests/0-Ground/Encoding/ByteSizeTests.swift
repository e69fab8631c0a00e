import Testing
import ValiseEncoding

/// Sizes as users type them.
struct ByteSizeTests {
    @Test(arguments: [
        ("20 GB", 20_000_000_000), ("20gb", 20_000_000_000), ("20g", 20_000_000_000),
        ("18.6 GiB", 19_971_597_926), ("1 KiB", 1024), ("1ki", 1024), ("1500", 1500), ("0", 0),
        ("7 bytes", 7),
        ("1.5kB", 1500), ("0.000000001 GB", 1), ("2 TB", 2_000_000_000_000),
        ("8191 PiB", 9_222_246_136_947_933_184),
    ])
    func `a size is read`(text: String, bytes: Int64) {
        #expect(ByteSize.decode(text) == bytes)
    }

    @Test(arguments: [
        "", " ", "gb", "-1", "+1", "1,5 GB", "1.5.2 GB", ".5 GB", "5. GB", "1 XB", "1 GBB", "8192 PiB",
        "9999999999 GB",
        "1e3", "٣ GB", "1 GB extra", "1.0000000001 GB", "0x10",
    ])
    func `what is no size is refused`(text: String) {
        #expect(ByteSize.decode(text) == nil)
    }
}
