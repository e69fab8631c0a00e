import CValiseDeflate
import CValiseZlib

/// Which libraries of compression there are.
package enum CompressionVersions {
    /// The loaded one, such as `1.2.13`.
    package static var zlib: String { unsafe String(cString: zlibVersion()) }

    /// The one this was built with, such as `1.14`: the library does not tell.
    package static var deflate: String { LIBDEFLATE_VERSION_STRING }
}
