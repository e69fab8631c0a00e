import CValiseOpenSSL

extension TLSContext {
    /// The first of the client's protocols that the server speaks; none of them ends the handshake. OpenSSL does not ask
    /// when the client offers nothing.
    static let selectProtocol:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
            UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
        ) -> Int32 = { _, chosen, chosenSize, offer, size, context in
            guard let chosen = unsafe chosen, let chosenSize = unsafe chosenSize, let offer = unsafe offer,
                let context = unsafe context
            else {
                return SSL_TLSEXT_ERR_ALERT_FATAL
            }
            let spoken = unsafe Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue().alpn
            let offered = unsafe UnsafeBufferPointer(start: offer, count: Int(size))
            guard let place = unsafe choose(from: offered, spoken) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
            // Into the client's own list, which outlives the call.
            unsafe chosen.pointee = unsafe offer + place.lowerBound
            unsafe chosenSize.pointee = UInt8(place.count)
            return SSL_TLSEXT_ERR_OK
        }

    /// - Parameter offered: names, each behind a byte with its length.
    private static func choose(
        from offered: UnsafeBufferPointer<UInt8>, _ spoken: [[UInt8]]
    ) -> Range<Int>? {
        var position = 0
        while position < offered.count {
            let name = unsafe position + 1..<position + 1 + Int(offered[position])
            guard name.upperBound <= offered.count else { return nil }
            if spoken.contains(where: { unsafe $0.elementsEqual(offered[name]) }) { return name }
            position = name.upperBound
        }
        return nil
    }

    /// The form of a list on the wire; nil when a name is empty or longer than 255 bytes.
    static func wireForm(_ protocols: [String]) -> [UInt8]? {
        var bytes: [UInt8] = []
        for name in protocols {
            guard let size = UInt8(exactly: name.utf8.count), size > 0 else { return nil }
            bytes.append(size)
            bytes.append(contentsOf: name.utf8)
        }
        return bytes
    }
}
