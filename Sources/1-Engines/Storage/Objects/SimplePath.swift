extension String {
    /// Whether its bytes alone show that it is a path which leads nowhere else and looks like what it is: ASCII characters that
    /// can be seen or are blanks, but no backslash, and components that are not empty and do not begin with a dot.
    ///
    /// Most paths are, and a long list has no time to look closer. What is not may be a path all the same.
    package var isSimplePath: Bool {
        var text = self
        return text.withUTF8 { bytes in
            var previous = UInt8(ascii: "/")
            for place in bytes.indices {
                let byte = unsafe bytes[place]
                let beginsBadly =
                    previous == UInt8(ascii: "/") && (byte == UInt8(ascii: "/") || byte == UInt8(ascii: "."))
                guard byte >= 32, byte < 127, byte != UInt8(ascii: "\\"), !beginsBadly else { return false }
                previous = byte
            }
            return previous != UInt8(ascii: "/")
        }
    }
}
