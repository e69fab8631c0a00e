/// Texts as stores compare them: by their UTF-8, whatever they look like.
extension String {
    func comesBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// What is behind so many bytes, which end with a character.
    func dropping(bytes count: Int) -> String { String(Substring(utf8.dropFirst(count))) }

    /// From the start to the first slash behind so many bytes, that slash included; nil where there is none.
    func upToSlash(behind count: Int) -> String? {
        guard let slash = utf8.dropFirst(count).firstIndex(of: UInt8(ascii: "/")) else { return nil }
        return String(Substring(utf8[...slash]))
    }
}
