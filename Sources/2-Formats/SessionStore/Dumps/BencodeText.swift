/// Which bytes are text.
enum BencodeText {
    static func isText(_ bytes: some Sequence<UInt8>) -> Bool {
        var (input, decoder) = (bytes.makeIterator(), UTF8())
        while true {
            switch decoder.decode(&input) {
            case .scalarValue(let scalar):
                let isBreak = scalar == "\n" || scalar == "\r" || scalar == "\t"
                if scalar.properties.generalCategory == .control, !isBreak { return false }
            case .emptyInput: return true
            case .error: return false
            }
        }
    }

    static func decode(_ bytes: [UInt8]) -> String? {
        isText(bytes) ? String(decoding: bytes, as: UTF8.self) : nil
    }
}

extension BencodeBytes {
    /// The Session ID; nil where the bytes are none.
    package var accountID: AccountID? {
        guard count == AccountID.byteCount, unsafe withBytes({ unsafe $0.first == AccountID.prefix }) else {
            return nil
        }
        return AccountID(revealed())
    }

    /// The text; nil where the bytes are no UTF-8, or contain control characters other than line breaks and tabs.
    package var text: String? {
        guard unsafe withBytes({ unsafe BencodeText.isText($0) }) else { return nil }
        return BencodeText.decode(revealed())
    }
}
