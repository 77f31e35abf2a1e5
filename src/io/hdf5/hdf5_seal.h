/* The seal of an HDF5 file that is read again: its size and checksum behind its end, where HDF5 does not look. HDF5
   itself trusts what it reads, so that a damaged file may do harm there; a seal is looked at first. */
#ifndef RCITY_IO_HDF5_HDF5_SEAL_H
#define RCITY_IO_HDF5_HDF5_SEAL_H

#include "base/base.h"

#define RCITY_HDF5_SEAL_BYTES 20

/* The seal of an image of a file: "RCITYSUM", the image's bytes as 64 bits and the CRC-32 of all this, little-endian. */
void rcity_hdf5_seal_make(const unsigned char *image, size_t bytes, unsigned char seal[RCITY_HDF5_SEAL_BYTES]);

/* Is this a whole file with its seal? @return RCITY_ERR_FORMAT with what is wrong. */
rcity_status rcity_hdf5_seal_check(rcity_context *context, const char *path, const unsigned char *file, size_t bytes);

#endif
