import ValiseEncoding
import ValiseFailures
import ValiseXFTPWire

/// Why a line of settings cannot be followed.
struct SettingsFault: Error {
    let reason: String
    let remedy: Remedy?

    init(_ reason: String, remedy: Remedy? = nil) {
        self.reason = reason
        self.remedy = remedy
    }
}

/// Values of settings.
enum SettingsValue {
    static func isOn(_ value: String) throws(SettingsFault) -> Bool {
        guard value == "on" || value == "off" else {
            throw SettingsFault("'\(value)' is neither 'on' nor 'off'")
        }
        return value == "on"
    }

    static func number(_ value: String, _ range: ClosedRange<Int>) throws(SettingsFault) -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw SettingsFault("'\(value)' is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// In bytes: what the official relay reads, whose units have 1024; else what options read, where it cannot be taken for that.
    static func size(_ value: String) throws(SettingsFault) -> Int64 {
        let text = value.lowercased()
        if let official = SizeText.decode(text) { return official }
        guard text.contains(" ") || text.contains("i"), let size = ByteSize.decode(text) else {
            throw SettingsFault("'\(value)' is not a size such as 100gb, 100 GB or 93 GiB")
        }
        return size
    }
}
