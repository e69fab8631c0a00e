import ValiseEncoding

extension XFTPErrorCode {
    /// Every error that has neither a parameter nor several names.
    private static let words: [(XFTPErrorCode, String)] = [
        (.block, "BLOCK"), (.session, "SESSION"), (.handshake, "HANDSHAKE"), (.auth, "AUTH"), (.size, "SIZE"),
        (.quota, "QUOTA"), (.digest, "DIGEST"), (.crypto, "CRYPTO"), (.noFile, "NO_FILE"),
        (.hasFile, "HAS_FILE"), (.fileIO, "FILE_IO"), (.timeout, "TIMEOUT"), (.internal, "INTERNAL"),
        (.duplicate, "DUPLICATE_"),
    ]

    /// How the error is written on the wire, such as `CMD SYNTAX` (XFTP fact sheet, §5.1).
    package var text: String {
        switch self {
        case .command(let fault): "CMD \(fault.rawValue)"
        case .blocked(let info): "BLOCKED \(info.text)"
        default: Self.words.first { $0.0 == self }?.1 ?? ""
        }
    }

    /// - Returns: nil for a text that is no error's.
    package init?(text: some StringProtocol) { self.init(text: Array(text.utf8)[...]) }

    init?(text: ArraySlice<UInt8>) {
        if let (error, _) = Self.words.first(where: { text.elementsEqual($0.1.utf8) }) {
            self = error
        } else if let rest = text.dropping("CMD ") {
            guard let fault = CommandFault(text: rest) else { return nil }
            self = .command(fault)
        } else if let rest = text.dropping("BLOCKED ") {
            guard let info = BlockingInfo(text: rest) else { return nil }
            self = .blocked(info)
        } else {
            return nil
        }
    }
}

extension XFTPErrorCode.CommandFault {
    /// Older relays have another name for one of them.
    fileprivate init?(text: ArraySlice<UInt8>) {
        self.init(word: text.elementsEqual("NO_QUEUE".utf8) ? Array(Self.noEntity.rawValue.utf8)[...] : text)
    }
}

extension BlockingInfo {
    /// Such as `reason=spam` or `reason=content,notice={"ttl":86400}`.
    package var text: String {
        guard let notice else { return "reason=\(reason.rawValue)" }
        let ttl = notice.ttl.map { "\"ttl\":\($0)" } ?? ""
        return "reason=\(reason.rawValue),notice={\(ttl)}"
    }

    /// - Returns: nil for another reason, and for a notice that is not JSON.
    package init?(text: some StringProtocol) { self.init(text: Array(text.utf8)[...]) }

    fileprivate init?(text: ArraySlice<UInt8>) {
        guard let fields = text.dropping("reason=") else { return nil }
        let word = fields.prefix { $0 != UInt8(ascii: ",") }
        guard let reason = BlockingReason(word: word) else { return nil }
        self.init(reason)
        let rest = fields[word.endIndex...]
        guard !rest.isEmpty else { return }
        guard let json = rest.dropping(",notice="),
            let fields = try? JSONText.decode(NoticeText.self, from: Array(json))
        else { return nil }
        notice = Notice(ttl: fields.ttl)
    }

    private struct NoticeText: Decodable {
        var ttl: Int64?
    }
}

// Words are compared by their bytes: texts of other bytes can be the same, such as K and the sign of Kelvin.
extension RawRepresentable where RawValue == String, Self: CaseIterable {
    /// - Returns: nil for any other word.
    init?(word: ArraySlice<UInt8>) {
        guard let value = Self.allCases.first(where: { word.elementsEqual($0.rawValue.utf8) }) else {
            return nil
        }
        self = value
    }
}

extension ArraySlice<UInt8> {
    /// What follows `prefix`; nil for bytes that do not begin with it.
    fileprivate func dropping(_ prefix: String) -> ArraySlice<UInt8>? {
        starts(with: prefix.utf8) ? dropFirst(prefix.utf8.count) : nil
    }
}
