import Fuzzing
import ValiseArchives
import ValiseEncoding
import ValiseMediaRules

@testable import ValiseMedia

/// Names, times, and what the first bytes of a file say.
enum TextTarget {
    static func time(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let time = UTCTime(text) else { return }
        // An offset leads to the year before the first one or behind the last.
        guard time > UTCTime(seconds: -62_167_132_800), time.seconds < 253_402_300_800 else { return }
        FuzzRun.require(UTCTime(time.text) == time, "\(text) is \(time.text)")
        if time.nanoseconds == 0 {
            FuzzRun.require(UTCTime(time.isoText) == time, "\(text) is \(time.isoText)")
        }
        if Hexadecimal.decode(text) != nil { FuzzRun.require(false, "a time is no number") }
    }

    static func movie(_ bytes: [UInt8]) {
        let outline = try? MP4Outline(size: Int64(bytes.count)) { offset, count in
            FuzzRun.require(
                offset >= 0 && count >= 0 && count <= 32 && offset + Int64(count) <= Int64(bytes.count),
                "\(count) bytes at \(offset) lie in the file")
            return Array(bytes[Int(offset)..<Int(offset) + count])
        }
        guard let duration = outline?.duration else { return }
        FuzzRun.require((0...MP4Outline.longest).contains(duration), "a movie lasts \(duration) s")
    }

    static func signature(_ bytes: [UInt8]) {
        _ = MediaSignature(head: bytes)?.kind
        _ = MediaSignature.looksLikeText(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        if let decoded = Hexadecimal.decode(text) {
            FuzzRun.require(Hexadecimal.encode(decoded) == text.lowercased(), "\(text) is read again")
        }
    }

    /// A name of anybody's, and what an export makes of it.
    static func fileName(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let name = try? ZipName.check(bytes) {
            FuzzRun.require(name.utf8.elementsEqual(bytes), "a name is what it was")
            FuzzRun.require(
                name.split(separator: "/").allSatisfy { ZipName.fault(ofComponent: $0) == nil },
                "the components of \(name) keep the rules")
        }
        let safe = SafeFileName(text, fallback: "file")
        for number in [1, 2, 10_000] {
            let name = safe.numbered(number)
            FuzzRun.require(
                ZipName.fault(ofComponent: name) == nil, "\(name.debugDescription) is a safe name")
            FuzzRun.require(!name.unicodeScalars.contains("/"), "\(name.debugDescription) is one component")
        }
    }
}
