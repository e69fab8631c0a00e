import CValiseOpenSSL

extension Certificate {
    /// The common name of the subject; nil when there is none. A peer may have written anything into it.
    package var commonName: String? {
        unsafe withHandle { x509 in
            guard let name = unsafe X509_get_subject_name(x509) else { return nil }
            let place = unsafe X509_NAME_get_index_by_NID(name, NID_commonName, -1)
            guard place >= 0, let entry = unsafe X509_NAME_get_entry(name, place) else { return nil }
            var text: UnsafeMutablePointer<UInt8>?
            let count = unsafe ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry))
            guard count >= 0, let text = unsafe text else {
                OpenSSLError.clear()
                return nil
            }
            defer { unsafe CRYPTO_free(text, #fileID, #line) }
            return unsafe String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)
        }
    }

    /// From when on it is valid, in seconds since 1970; nil when the field makes no sense.
    package var notBefore: Int64? { unsafe withHandle { unsafe Self.seconds(of: X509_get0_notBefore($0)) } }

    /// Until when it is valid, in seconds since 1970; nil when the field makes no sense.
    package var notAfter: Int64? { unsafe withHandle { unsafe Self.seconds(of: X509_get0_notAfter($0)) } }

    /// Whether it is of the third version of X.509, the first with extensions.
    var isVersion3: Bool { unsafe withHandle { unsafe X509_get_version($0) == 2 } }

    /// Whether its constraints say that it may sign others.
    var isAuthority: Bool { unsafe withHandle { unsafe X509_check_ca($0) == 1 } }

    private static func seconds(of time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        guard let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard let time = unsafe time, unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
            OpenSSLError.clear()
            return nil
        }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}
